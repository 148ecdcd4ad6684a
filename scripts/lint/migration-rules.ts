/**
 * Finds what a migration must not do to a table of the previous release: its instances serve meanwhile, and can be returned
 * to. It reads the source; SQL that a function of another file writes is not seen. Imports nothing, so that Node can run it
 * without a build.
 */

interface Migration {
  /** Of its file. */
  name: string;
  source: string;
}

export interface Problem {
  /** The migration's. */
  name: string;
  table: string;
  text: string;
}

const TABLE = String.raw`(?:ONLY\s+)?(?:public\.)?"?(\w+)"?`;

/** Statements that lock or change the table that they name. */
const STATEMENTS: [RegExp, string][] = [
  [
    new RegExp(
      String.raw`\bCREATE\s+(?:UNIQUE\s+)?INDEX\s+(?!CONCURRENTLY\b)(?:IF\s+NOT\s+EXISTS\s+)?(?:\w+\s+)?ON\s+${TABLE}`,
      'gi',
    ),
    'builds an index while nobody can write: use buildIndex',
  ],
  [new RegExp(String.raw`\bTRUNCATE\s+(?:TABLE\s+)?${TABLE}`, 'gi'), 'removes all rows'],
  [new RegExp(String.raw`\b(?:CLUSTER|VACUUM\s+FULL)\s+${TABLE}`, 'gi'), 'rewrites the table'],
];
const DROP_TABLE = /\bDROP\s+TABLE\s+(?:IF\s+EXISTS\s+)?([\w\s,."]+)/gi;
const ALTER_TABLE = new RegExp(String.raw`\bALTER\s+TABLE\s+(?:IF\s+EXISTS\s+)?${TABLE}\s+([^]*)$`, 'i');

/** What an action of ALTER TABLE must not do, and what makes it acceptable. */
const ACTIONS: [forbidden: RegExp, unless: RegExp | undefined, text: string][] = [
  [/^DROP\s+(?!CONSTRAINT\b)/i, undefined, 'drops a column'],
  [/^RENAME\b/i, undefined, 'renames something'],
  [/^ALTER\s+(?:COLUMN\s+)?"?\w+"?\s+(?:SET\s+DATA\s+)?TYPE\b/i, undefined, 'changes a type'],
  [/^ALTER\s+(?:COLUMN\s+)?"?\w+"?\s+ADD\s+GENERATED\b/i, undefined, 'rewrites the table'],
  [
    /^SET\s+(?:LOGGED|UNLOGGED|TABLESPACE|ACCESS\s+METHOD|SCHEMA)\b/i,
    undefined,
    'rewrites or moves the table',
  ],
  [
    /^ADD\s+(?:CONSTRAINT\s+"?\w+"?\s+)?(?:CHECK|FOREIGN\s+KEY)\b/i,
    /\bNOT\s+VALID\b/i,
    'reads all rows: add NOT VALID',
  ],
  [
    /^ADD\s+(?:CONSTRAINT\s+"?\w+"?\s+)?(?:UNIQUE|PRIMARY\s+KEY|EXCLUDE)\b/i,
    /\bUSING\s+INDEX\b/i,
    'builds an index while nobody can write: use buildIndex and USING INDEX',
  ],
];

/** The same for the definition of an added column. */
const COLUMN =
  /^ADD\s+(?:COLUMN\s+)?(?:IF\s+NOT\s+EXISTS\s+)?(?!CONSTRAINT\b|CHECK\b|FOREIGN\b|UNIQUE\b|PRIMARY\b|EXCLUDE\b)"?\w+"?\s/i;
const DEFINITIONS: typeof ACTIONS = [
  [/\bNOT\s+NULL\b/i, /\bDEFAULT\b/i, 'adds a column that the previous release does not fill: add a default'],
  [
    /\bGENERATED\b|\b(?:big|small)?serial\b|\bDEFAULT\s+(?:gen_random_uuid|random|clock_timestamp|nextval)\b/i,
    undefined,
    'rewrites the table',
  ],
  [
    /\b(?:UNIQUE|PRIMARY\s+KEY|CHECK|REFERENCES)\b/i,
    undefined,
    'reads all rows: add the constraint as NOT VALID',
  ],
];
const ADDED_CONSTRAINT = /^ADD\s+CONSTRAINT\s+"?(\w+)"?/i;
const VALIDATED_CONSTRAINT = /^VALIDATE\s+CONSTRAINT\s+"?(\w+)"?/i;
/** Each statement of such a migration is a transaction of its own. */
const WITHOUT_TRANSACTION = /^\s*(?:public\s+)?(?:readonly\s+)?transaction\s*=\s*false\b/m;
const SET_NOT_NULL = /^ALTER\s+(?:COLUMN\s+)?"?(\w+)"?\s+SET\s+NOT\s+NULL\b/i;

/**
 * @param migrations those that the previous release does not have, the oldest first
 * @param existing the tables of the previous release
 */
export function findProblems(migrations: Migration[], existing: ReadonlySet<string>): Problem[] {
  const checked = new Set<string>();
  return migrations.flatMap(({ name, source }) => {
    const statements = statementsOf(source);
    const problems = statements.flatMap((statement) => [
      ...namedBy(statement),
      ...droppedBy(statement),
      ...alteredBy(statement, checked),
    ]);
    if (!WITHOUT_TRANSACTION.test(source)) problems.push(...validatedAtOnce(statements));
    // A constraint counts from the next migration on: one that is validated holds the lock of its addition otherwise.
    for (const statement of statements) for (const column of columnsChecked(statement)) checked.add(column);
    return problems.filter(({ table }) => existing.has(table)).map((problem) => ({ name, ...problem }));
  });
}

/** The tables that migrations create. */
export function createdTables(sources: string[]): Set<string> {
  const created = sources.flatMap((source) => [
    ...source.matchAll(/\bCREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(\w+)/gi),
  ]);
  return new Set(created.map(([, name = '']) => name));
}

/** Without what reverts the migration, comments, and the bodies of functions, which do not run now. */
function statementsOf(source: string): string[] {
  return source
    .replaceAll(/^ {2}async down\([^]*?^ {2}\}$/gm, '')
    .replaceAll(/\/\*[^]*?\*\/|--.*$|^\s*\/\/.*$/gm, '')
    .replaceAll(/\bAS\s+\$(\w*)\$[^]*?\$\1\$/gi, '')
    .split(/;|`/);
}

type Found = Omit<Problem, 'name'>;

const namedBy = (statement: string): Found[] =>
  STATEMENTS.flatMap(([pattern, text]) =>
    [...statement.matchAll(pattern)].map(([, table = '']) => ({ table, text })),
  );

const droppedBy = (statement: string): Found[] =>
  [...statement.matchAll(DROP_TABLE)].flatMap(([, names = '']) =>
    [...names.matchAll(/\w+/g)].map(([table]) => ({ table, text: 'drops the table' })),
  );

function alteredBy(statement: string, checked: ReadonlySet<string>): Found[] {
  const [, table = '', rest = ''] = ALTER_TABLE.exec(statement) ?? [];
  return actionsOf(rest).flatMap((action) => {
    const rules = COLUMN.test(action) ? DEFINITIONS : ACTIONS;
    const found = rules
      .filter(([forbidden, unless]) => forbidden.test(action) && !unless?.test(action))
      .map(([, , text]) => ({ table, text }));
    const [, column] = SET_NOT_NULL.exec(action) ?? [];
    if (column !== undefined && !checked.has(`${table}.${column}`)) {
      const text = `reads all rows: first add CHECK (${column} IS NOT NULL) NOT VALID and validate it`;
      found.push({ table, text });
    }
    return found;
  });
}

/** The lock of a constraint's addition is held until the end of the transaction, also while all rows are read. */
function validatedAtOnce(statements: string[]): Found[] {
  const added = new Set<string>();
  return statements.flatMap((statement) => {
    const [, table = '', rest = ''] = ALTER_TABLE.exec(statement) ?? [];
    return actionsOf(rest).flatMap((action) => {
      const [, addition] = ADDED_CONSTRAINT.exec(action) ?? [];
      if (addition) added.add(`${table}.${addition}`);
      const [, validated] = VALIDATED_CONSTRAINT.exec(action) ?? [];
      if (!validated || !added.has(`${table}.${validated}`)) return [];
      return [
        { table, text: 'reads all rows under the lock of the addition: validate in a later migration' },
      ];
    });
  });
}

/** The columns of which a constraint says that they are not null. */
function columnsChecked(statement: string): string[] {
  const [, table = '', rest = ''] = ALTER_TABLE.exec(statement) ?? [];
  return [...rest.matchAll(/\bCHECK\s*\(\s*"?(\w+)"?\s+IS\s+NOT\s+NULL\s*\)\s*NOT\s+VALID/gi)].map(
    ([, column]) => `${table}.${column}`,
  );
}

/** The actions of an ALTER TABLE, which are separated by commas outside of parentheses. */
function actionsOf(text: string): string[] {
  const actions = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth++;
    if (character === ')') depth--;
    if (character === ',' && depth === 0) actions.push('');
    else actions.push((actions.pop() ?? '') + character);
  }
  return actions.map((action) => action.trim());
}

import { QUIET_MS, TypingGuard } from './typing-guard';

const ALL = { mayOpen: true, mayChange: true };
const OPEN = { mayOpen: true, mayChange: false };
const NOTHING = { mayOpen: false, mayChange: false };

describe('TypingGuard', () => {
  it('lets a key change something only after a pause, whatever was pressed before it', () => {
    const guard = new TypingGuard();
    expect(guard.press('a', 0)).toEqual(ALL);
    expect(guard.press('d', QUIET_MS - 1)).toEqual(OPEN);
    expect(guard.press('d', 2 * QUIET_MS - 2)).toEqual(OPEN);
    expect(guard.press('d', 3 * QUIET_MS)).toEqual(ALL);
  });

  it('lets nothing that is typed after the field has gone act, until the typing ends', () => {
    const guard = new TypingGuard();
    guard.press('h', 0);
    guard.removeField(QUIET_MS + 1000);
    for (const at of [1225, 3000, 5500]) expect(guard.press('d', QUIET_MS + at)).toEqual(NOTHING);
    expect(guard.press('d', 3 * QUIET_MS + 5500)).toEqual(ALL);
  });

  it('takes a field that goes by Escape for closed by its user', () => {
    const guard = new TypingGuard();
    guard.press('Escape', 0);
    guard.removeField(10);
    expect(guard.press('x', 200)).toEqual(OPEN);
  });

  it('takes a field of one line that goes by Enter for sent by its user, and not one of several lines', () => {
    const guard = new TypingGuard();
    guard.press('Enter', 0);
    guard.removeField(10, true);
    expect(guard.press('x', 200)).toEqual(OPEN);
    guard.press('Enter', 300);
    guard.removeField(310);
    expect(guard.press('x', 400)).toEqual(NOTHING);
  });
});

// The line of progress, which is written over in a terminal, and notices, each of which is shown once.
const LINE_INTERVAL_SECONDS = 10;

/** @param stream standard error @returns `notice` and `progress` for runLoadTest, and `end` */
export function progressReporter(stream) {
  const shown = new Set();
  let seconds = 0;
  const erase = () => stream.isTTY && stream.write('\r\x1b[K');
  return {
    notice(text) {
      if (shown.has(text)) return;
      shown.add(text);
      erase();
      stream.write(`${text}\n`);
    },
    progress(moment) {
      seconds++;
      if (stream.isTTY) {
        erase();
        stream.write(lineOf(seconds, moment));
      } else if (seconds % LINE_INTERVAL_SECONDS === 0) stream.write(`${lineOf(seconds, moment)}\n`);
    },
    end: erase,
  };
}

function lineOf(seconds, { joined, answered, waiting, active, errors, wrong, lost }) {
  return [
    `${seconds} s`,
    `${joined} joined`,
    `${waiting} waiting`,
    `${active} talking`,
    `${answered} answered`,
    `${errors} errors`,
    `${wrong} wrong positions`,
    `${lost} lost events`,
  ].join(' · ');
}

import { ClockSteps } from './clock-steps';

/** The clock shows 1,000 s, and then is set forward by 600 s within half a second. */
function afterStep(): ClockSteps {
  const steps = new ClockSteps();
  expect(steps.observe(1_000_000, 50_000)).toBe(0);
  expect(steps.observe(1_600_500, 50_500)).toBe(600_000);
  return steps;
}

it.each([
  ['one that had passed before', 1_000_400, 1_000_400],
  ['one of the next moment', 1_000_501, 1_600_501],
  ['one of the skipped time', 1_300_000, 1_900_000],
  ['the last one of the skipped time', 1_600_500, 2_200_500],
  ['a later one', 1_600_501, 1_600_501],
])('%s is due at its time', (_which, deadline, due) => {
  expect(afterStep().dueAt(deadline)).toBe(due);
});

it.each([
  ['a clock that runs', 500, 500],
  ['a clock that is corrected slowly', 510, 500],
  ['a clock that is set back', -600_000, 500],
  ['a process that was stopped', 600_000, 600_000],
  ['a small step', 2499, 500],
])('%s moves nothing', (_what, wall, monotonic) => {
  const steps = new ClockSteps();
  steps.observe(1_000_000, 50_000);
  expect(steps.observe(1_000_000 + wall, 50_000 + monotonic)).toBe(0);
  expect(steps.dueAt(1_000_001)).toBe(1_000_001);
});

it('a deadline that a second step skips is moved again', () => {
  const steps = afterStep();
  steps.observe(1_960_500, 60_500);
  expect(steps.dueAt(1_300_000)).toBe(1_900_000 + 350_000);
});

it('a step moves nothing once the clock was set back', () => {
  const steps = afterStep();
  expect(steps.observe(1_006_500, 56_500)).toBe(0);
  expect(steps.dueAt(1_036_500)).toBe(1_036_500);
});

it('a step is forgotten when all that it moved is due', () => {
  const steps = afterStep();
  steps.observe(2_200_500, 650_500);
  expect(steps.dueAt(1_300_000)).toBe(1_900_000);
  steps.observe(2_200_501, 650_501);
  expect(steps.dueAt(1_300_000)).toBe(1_300_000);
});

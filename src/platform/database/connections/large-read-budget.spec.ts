import { LargeReadBudget } from './large-read-budget';

/** A budget of a tenant whose six reads have just ended after 1 s. */
function usedUp(): LargeReadBudget {
  const budget = new LargeReadBudget();
  const ends = Array.from({ length: 6 }, () => budget.begin('a', 0));
  for (const end of ends) end(1000);
  return budget;
}

/** How many reads may begin at the same moment. */
function countBegun(budget: LargeReadBudget, now: number): number {
  let count = 0;
  for (; budget.delayMs('a', now) === 0; count++) budget.begin('a', now);
  return count;
}

describe('LargeReadBudget', () => {
  it('allows 5 s at once, and in the long run an eighth of the time', () => {
    const budget = new LargeReadBudget();
    let now = 0;
    let busyMs = 0;
    for (; now < 100_000; busyMs += 1000) {
      now += budget.delayMs('a', now);
      const end = budget.begin('a', now);
      end((now += 1000));
    }
    expect(busyMs).toBeGreaterThanOrEqual(17_000);
    expect(busyMs).toBeLessThanOrEqual(19_000);
  });

  it('does not let reads begin together once it is used up, and gives back what a short one does not use', () => {
    const budget = usedUp();
    const begin = 1000 + budget.delayMs('a', 1000);
    const end = budget.begin('a', begin);
    expect(budget.delayMs('a', begin)).toBe(4000);
    end(begin + 20);
    expect(budget.delayMs('a', begin + 20)).toBe(140);
  });

  it('gives each tenant a budget of its own', () => {
    expect(usedUp().delayMs('b', 1000)).toBe(0);
  });

  it('lets no tenant wait longer than 8 s for a long read of the past', () => {
    const budget = new LargeReadBudget();
    budget.begin('a', 0)(600_000);
    expect(budget.delayMs('a', 600_000)).toBe(8000);
  });

  it('saves no more than 5 s, however long the pause', () => {
    const budget = new LargeReadBudget();
    budget.begin('a', 0)(10);
    expect(countBegun(budget, 600_000)).toBe(countBegun(new LargeReadBudget(), 0));
  });
});

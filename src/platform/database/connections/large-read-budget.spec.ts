import { LargeReadBudget } from './large-read-budget';

describe('LargeReadBudget', () => {
  it('allows 5 s at once, and then half of the time', () => {
    const budget = new LargeReadBudget();
    expect(budget.delayMs('a', 0)).toBe(0);
    budget.charge('a', 5000, 0);
    expect(budget.delayMs('a', 0)).toBe(0);
    budget.charge('a', 300, 0);
    expect(budget.delayMs('a', 0)).toBe(600);
    expect(budget.delayMs('a', 500)).toBe(100);
    expect(budget.delayMs('a', 600)).toBe(0);
    budget.charge('a', 100, 600);
    expect(budget.delayMs('a', 600)).toBe(200);
  });

  it('gives each tenant a budget of its own', () => {
    const budget = new LargeReadBudget();
    budget.charge('a', 6000, 0);
    expect(budget.delayMs('b', 0)).toBe(0);
  });

  it('lets nobody wait longer than 4 s for a long read of the past, and saves no more than 5 s', () => {
    const budget = new LargeReadBudget();
    budget.charge('a', 600_000, 0);
    expect(budget.delayMs('a', 0)).toBe(4000);
    budget.charge('a', 5500, 1_000_000);
    expect(budget.delayMs('a', 1_000_000)).toBe(1000);
  });
});

/** Chooses the fault that is due for a request, and counts how often each was met. */
import type { Fault } from './faults.js';

interface Planned {
  readonly fault: Fault;
  readonly fits: (method: string, path: string) => boolean;
  /** Requests that fitted so far. */
  met: number;
  /** Requests that were hit so far. */
  hit: number;
  /** A rate limit's bucket: how many requests may pass now. */
  tokens: number;
  /** When the bucket was filled last, in milliseconds since 1970. */
  filledAt: number | undefined;
}

/** A fault that is due, with what its rate limit says about when to come back. */
export interface DueFault extends Fault {
  readonly waitMs?: number;
}

export interface FaultState {
  readonly fault: Fault;
  readonly met: number;
  readonly hit: number;
}

/** `/v1/licenses/*` → one segment more; `**` → anything more. */
export function pathMatcher(pattern: string): (path: string) => boolean {
  const source = pattern
    .split(/(\*\*|\*)/)
    .map((part) => (part === '**' ? '.*' : part === '*' ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('');
  const expression = new RegExp(`^${source}$`);
  return (path) => expression.test(path);
}

function planned(fault: Fault): Planned {
  const pathFits = fault.path === undefined ? () => true : pathMatcher(fault.path);
  return {
    fault,
    fits: (method, path) => (fault.method === undefined || fault.method === method) && pathFits(path),
    met: 0,
    hit: 0,
    tokens: fault.burst ?? fault.rate ?? 0,
    filledAt: undefined,
  };
}

/** Takes a token out of a bucket that fills with time. Returns the milliseconds until there is one, 0 if there was. */
function takeToken(plan: Planned, now: number): number {
  const { rate = 1, burst = rate } = plan.fault;
  plan.tokens = Math.min(burst, plan.tokens + ((now - (plan.filledAt ?? now)) * rate) / 1000);
  plan.filledAt = now;
  if (plan.tokens < 1) return Math.ceil(((1 - plan.tokens) * 1000) / rate);
  plan.tokens--;
  return 0;
}

/** Faults that change or spoil the walk through a list: they hit requests with a cursor only. */
const OF_CURSORS: ReadonlySet<string> = new Set(['dead-cursor', 'loop-cursor', 'insert', 'remove', 'move']);

/** Counts this request and says whether the fault is due for it. */
function due(plan: Planned): boolean {
  const { every = 1, skip = 0, times = Number.POSITIVE_INFINITY } = plan.fault;
  plan.met++;
  const beyond = plan.met - skip;
  if (plan.hit >= times || beyond < 1 || beyond % every !== 0) return false;
  plan.hit++;
  return true;
}

export class FaultPlan {
  #plans: Planned[] = [];

  /** Adds faults behind those in force. */
  add(faults: readonly Fault[]): void {
    this.#plans.push(...faults.map(planned));
  }

  clear(): void {
    this.#plans = [];
  }

  get isEmpty(): boolean {
    return this.#plans.length === 0;
  }

  state(): FaultState[] {
    return this.#plans.map(({ fault, met, hit }) => ({ fault, met, hit }));
  }

  /**
   * The faults that hit this request: any number of delays, and the first of the others that is due.
   * @param path under the base URL, without query
   * @param hasCursor faults of cursors only hit a request that has one
   * @param now milliseconds since 1970
   */
  next(method: string, path: string, hasCursor: boolean, now: number): readonly DueFault[] {
    const hits: DueFault[] = [];
    let broken = false;
    for (const plan of this.#plans) {
      const { action } = plan.fault;
      if (OF_CURSORS.has(action) && !hasCursor) continue;
      if (broken && action !== 'latency') continue;
      if (!plan.fits(method, path)) continue;
      const waitMs = action === 'rate-limit' ? takeToken(plan, now) : undefined;
      if (waitMs === 0 || !due(plan)) continue;
      hits.push(waitMs === undefined ? plan.fault : { ...plan.fault, waitMs });
      if (action !== 'latency') broken = true;
    }
    return hits;
  }
}

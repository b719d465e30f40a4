/** Which fault is due for a request: the faults in force and how often each was met. It plays none of them. */
import type { Fault } from './faults.js';

interface Planned {
  readonly fault: Fault;
  readonly fits: (method: string, path: string) => boolean;
  /** Requests that fitted so far. */
  met: number;
  /** Requests that were hit so far. */
  hit: number;
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
  };
}

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
   * @param hasCursor a dead cursor can only hit a request that has one
   */
  next(method: string, path: string, hasCursor: boolean): readonly Fault[] {
    const hits: Fault[] = [];
    let broken = false;
    for (const plan of this.#plans) {
      const { action } = plan.fault;
      if (action === 'dead-cursor' && !hasCursor) continue;
      if (broken && action !== 'latency') continue;
      if (!plan.fits(method, path) || !due(plan)) continue;
      hits.push(plan.fault);
      if (action !== 'latency') broken = true;
    }
    return hits;
  }
}

/** Chooses the faults that affect a request. */
import type { Fault } from './faults.js';
import { hasMembers, isMeant, targetMatcher } from './request-pattern.js';
import type { Person } from './test-users.js';

export interface DueFault extends Fault {
  readonly waitMs?: number;
}

export interface FaultyRequest {
  readonly method: string;
  /** Relative to the base URL, without query. */
  readonly path: string;
  readonly query: string;
  readonly caller?: Person | undefined;
  /** The JSON body, if a fault depends on it. */
  readonly body?: unknown;
}

function planned(fault: Fault) {
  const isTarget = targetMatcher(fault.path ?? '/**');
  return {
    fault,
    matches: ({ method, path, query, caller, body }: FaultyRequest): boolean =>
      (fault.method === undefined || fault.method === method) &&
      isTarget(path, query) &&
      (fault.as === undefined || isMeant(fault.as, caller)) &&
      (fault.where === undefined || hasMembers(fault.where, body)),
    met: 0,
    hit: 0,
    /** The token bucket of a rate limit: requests that may pass now, and when tokens were last added. */
    tokens: fault.burst ?? fault.rate ?? 0,
    filledAt: undefined as number | undefined,
  };
}

type Planned = ReturnType<typeof planned>;

/** Takes a token from the bucket. Returns the milliseconds until one is available, or 0 if one was taken. */
function takeToken(plan: Planned, now: number): number {
  const { rate = 1, burst = rate } = plan.fault;
  plan.tokens = Math.min(burst, plan.tokens + ((now - (plan.filledAt ?? now)) * rate) / 1000);
  plan.filledAt = now;
  if (plan.tokens < 1) return Math.ceil(((1 - plan.tokens) * 1000) / rate);
  plan.tokens--;
  return 0;
}

const CURSOR_FAULTS: ReadonlySet<string> = new Set(['dead-cursor', 'loop-cursor', 'insert', 'remove', 'move']);

function countAndCheck(plan: Planned, random: (count: number) => Uint8Array): boolean {
  const { every = 1, skip = 0, percent = 100, times = Number.POSITIVE_INFINITY } = plan.fault;
  plan.met++;
  const eligible = plan.met - skip;
  if (plan.hit >= times || eligible < 1 || eligible % every !== 0) return false;
  if (percent < 100 && (Buffer.from(random(4)).readUInt32LE() / 2 ** 32) * 100 >= percent) return false;
  plan.hit++;
  return true;
}

export class FaultPlan {
  #plans: Planned[] = [];
  readonly #random: (count: number) => Uint8Array;

  /** @param random decides about faults with a `percent` */
  constructor(random: (count: number) => Uint8Array) {
    this.#random = random;
  }

  add(faults: readonly Fault[]): void {
    this.#plans.push(...faults.map(planned));
  }

  clear(): void {
    this.#plans = [];
  }

  save(): () => void {
    const saved = this.#plans.map((plan) => ({ ...plan }));
    return () => {
      this.#plans = saved.map((plan) => ({ ...plan }));
    };
  }

  get isEmpty(): boolean {
    return this.#plans.length === 0;
  }

  /** True if some fault depends on the body. */
  get readsBodies(): boolean {
    return this.#plans.some(({ fault }) => fault.where !== undefined);
  }

  state() {
    return this.#plans.map(({ fault, met, hit }) => ({ fault, met, hit }));
  }

  /** Returns the faults that affect this request: any number of delays, and at most one other. */
  next(request: FaultyRequest, now: number): readonly DueFault[] {
    const hasCursor = /(^|&)cursor=/.test(request.query);
    const hits: DueFault[] = [];
    let hasOther = false;
    for (const plan of this.#plans) {
      const { action } = plan.fault;
      if (CURSOR_FAULTS.has(action) && !hasCursor) continue;
      if (hasOther && action !== 'latency') continue;
      if (!plan.matches(request)) continue;
      const waitMs = action === 'rate-limit' ? takeToken(plan, now) : undefined;
      if (waitMs === 0 || !countAndCheck(plan, this.#random)) continue;
      hits.push(waitMs === undefined ? plan.fault : { ...plan.fault, waitMs });
      if (action !== 'latency') hasOther = true;
    }
    return hits;
  }
}

export type FaultState = ReturnType<FaultPlan['state']>[number];

/** Chooses the faults that affect a request. */
import { ConnectionReset } from './connection-reset.js';
import type { Fault } from './faults.js';
import { hasMembers, isMeant, requireUser, targetMatcher } from './request-pattern.js';
import type { Person } from './test-users.js';

export interface DueFault extends Fault {
  readonly waitMs?: number;
}

export interface FaultyRequest {
  readonly method: string;
  /** Relative to the base URL, without query. */
  readonly path: string;
  readonly query: string;
  /** Called only for faults that depend on the caller. */
  readonly caller?: () => Person | undefined;
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
      (fault.as === undefined || isMeant(fault.as, caller?.())) &&
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
  // The clock may have been set back.
  const passed = Math.max(0, now - (plan.filledAt ?? now));
  plan.tokens = Math.min(burst, plan.tokens + (passed * rate) / 1000);
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
  #ending = new AbortController();
  readonly #random: (count: number) => Uint8Array;
  readonly #isUser: (user: string) => boolean;

  /** @param random decides about faults with a `percent` @param isUser true if a persona or user has this name */
  constructor(random: (count: number) => Uint8Array, isUser = (_user: string): boolean => true) {
    this.#random = random;
    this.#isUser = isUser;
  }

  /** @param replaces removes the present faults @throws OptionError if a fault is for an unknown user */
  add(faults: readonly Fault[], replaces = false): void {
    for (const { as } of faults) if (as !== undefined) requireUser(as, this.#isUser);
    this.#plans = [...(replaces ? [] : this.#plans), ...faults.map(planned)];
  }

  /** Aborted when requests that hang or wait must end. */
  get ended(): AbortSignal {
    return this.#ending.signal;
  }

  /** Breaks the connections of requests that hang or wait. */
  end(): void {
    this.#ending.abort(new ConnectionReset('without an answer'));
    this.#ending = new AbortController();
  }

  save(): () => void {
    const saved = this.#plans.map((plan) => ({ ...plan }));
    return () => {
      this.end();
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

/**
 * Spaces requests evenly at a rate: the user's, or one learned from responses 429. A 429 that slower sending does not
 * make rarer is no sign of a rate: then nothing is learned, and each 429 costs only its own request.
 */

/** Number of 429s among CLUSTER_RESPONSES responses in a row that show a limit: random ones hardly ever cluster. */
const CLUSTER = 5;
const CLUSTER_RESPONSES = 6;
/** The same in a larger window. */
const WINDOW = 15;
const WINDOW_RESPONSES = 36;
/** Number of 429s among the last responses after which a lower rate is tried: the limit may hardly be exceeded. */
const FREQUENT = 4;
const FREQUENT_RESPONSES = 12;
/** Number of 429s at lower and lower rates, each after UNCURED_GAP accepted requests, that show that there is no limit. */
const UNCURED = 3;
const UNCURED_GAP = 3;
/** Number of accepted requests over which the present throughput is measured. */
const RECENT = 16;
/** Number of accepted requests without a change after which the rate is right. */
const CURED = 60;
/** A rate is measured over at least this duration and number of accepted requests. */
const MIN_LEARN_MS = 500;
const MIN_ACCEPTED = 5;
/** Share of the accepted rate to send at. Below it, because each further 429 costs a pause. */
const SHARE = 0.98;
/** Relative step to a higher rate. Each measure of the rate halves it, down to MIN_STEP; smaller steps are tried less often. */
const FIRST_STEP = 0.1;
const MIN_STEP = 0.01;
const FIRST_PROBE_MS = 2_000;
/** Number of steps up without a 429 after which the rate is far too low: each further step doubles, up to GUESS_STEP. */
const FREE_STEPS = 4;
/** Min interval of requests after a pause until one is accepted: the service may refuse all until its minute ends. */
const RESUMING_MS = 100;
/** Step of a rate that is only a guess, because there were few requests before the first 429. */
const GUESS_STEP = 0.4;
/**
 * Number of accepted requests before the first 429 that are probably the accumulated allowance of a second. Their own rate
 * would be a multiple of the allowed one, and each step down costs a 429 of every request under way.
 */
const LARGE_BURST = 40;
const MIN_BURST_MS = 100;
const LARGE_BURST_MS = 1000;
/** Max lateness of a timer that is made up for by sending requests at once. */
const LATE_MS = 30;

export class SendRate {
  readonly #max: number | undefined;
  readonly #now: () => number;
  #learned: number | undefined;
  #refusals = 0;
  /** 429s since the last accepted request. */
  #streak = 0;
  /** True if each of the last responses was a 429. */
  readonly #last: boolean[] = [];
  /** When the last requests were accepted. */
  readonly #recent: number[] = [];
  /** True if 429s in a row have shown a limit. */
  #isLimited = false;
  /** True if a lower rate has shown that there is no limit. */
  #isRandom = false;
  /** 429s that lowering the rate did not prevent. */
  #uncured = 0;
  /** Requests accepted since the last 429 from which the rate was learned, and since any change of the rate. */
  #accepted = 0;
  #acceptedSinceChange = 0;
  #refusedSinceChange = 0;
  #since: number;
  /** No request has been accepted since the last pause. */
  #isResuming = false;
  /** Pauses since that 429. */
  #pauseMs = 0;
  #pausedUntil = 0;
  #changedAt: number;
  #nextAt = 0;
  #step = FIRST_STEP;
  #isGuess = false;
  /** The rate before the last step up; 0 if there was none since the last 429. */
  #proven = 0;
  /** Steps up since the last 429 from which the rate was learned. */
  #steps = 0;

  /** @param max the user's limit in requests per second; undefined for none */
  constructor(max: number | undefined, now: () => number) {
    this.#max = max;
    this.#now = now;
    this.#since = now();
    this.#changedAt = this.#since;
  }

  /** Learned requests per second; undefined if no limit has been found. */
  get learned(): number | undefined {
    return this.#learned;
  }

  /** Number of responses 429. */
  get refusals(): number {
    return this.#refusals;
  }

  /** Number of 429s since the last accepted request. */
  get streak(): number {
    return this.#streak;
  }

  get #perSecond(): number | undefined {
    return this.#learned === undefined ? this.#max : Math.min(this.#learned, this.#max ?? this.#learned);
  }

  /** Delay until the next request may be sent, in milliseconds. */
  delayMs(): number {
    return this.#perSecond === undefined ? 0 : Math.max(0, Math.ceil(this.#nextAt - this.#now()));
  }

  /** Takes the next time slot. @returns false if it is still in the future */
  take(): boolean {
    const rate = this.#perSecond;
    if (rate === undefined) return true;
    const now = this.#now();
    if (this.#nextAt > now) return false;
    this.#nextAt = Math.max(this.#nextAt, now - LATE_MS) + Math.max(1000 / rate, this.#isResuming ? RESUMING_MS : 0);
    this.#probe(now);
    return true;
  }

  /** Raises a learned rate that no 429 has followed for a while. */
  #probe(now: number): void {
    if (this.#learned === undefined) return;
    const step = this.#isGuess ? GUESS_STEP : this.#step;
    const intervalMs = (FIRST_PROBE_MS * FIRST_STEP) / step;
    // A rate that is not used says nothing about a higher one.
    if (now - this.#changedAt <= intervalMs || (this.#throughput ?? this.#learned) < this.#learned / 2) return;
    if (++this.#steps > FREE_STEPS) this.#step = Math.min(GUESS_STEP, this.#step * 2);
    this.#proven = this.#learned;
    this.#learned *= 1 + step;
    this.#changedAt = now;
    this.#acceptedSinceChange = 0;
    this.#refusedSinceChange = 0;
  }

  accepted(): void {
    const isAfterPause = this.#isResuming && this.#now() >= this.#changedAt;
    if (isAfterPause) {
      this.#isResuming = false;
      const rate = this.#perSecond;
      this.#nextAt = Math.min(this.#nextAt, this.#now() + (rate === undefined ? 0 : 1000 / rate));
      if (this.#learned === undefined) this.#measure();
    }
    this.#note(false);
    this.#streak = 0;
    this.#accepted++;
    if (++this.#acceptedSinceChange >= CURED) this.#uncured = 0;
    if (this.#recent.push(this.#now()) > RECENT) this.#recent.shift();
  }

  #note(isRefused: boolean): void {
    if (this.#last.push(isRefused) > WINDOW_RESPONSES) this.#last.shift();
  }

  /** Number of 429s among the last responses. */
  #refusedOf(responses: number): number {
    return this.#last.slice(-responses).filter(Boolean).length;
  }

  /**
   * Records a 429.
   * @param began when the request was sent, in milliseconds since the epoch
   * @param isAsked the service asks to wait (Retry-After), which random 429s hardly ever do: few of them show a limit
   * @returns whether all requests are to wait, not only the refused one
   */
  refused(began: number, isAsked = false): boolean {
    this.#refusals++;
    this.#streak++;
    this.#note(true);
    const isCluster =
      this.#refusedOf(CLUSTER_RESPONSES) >= CLUSTER ||
      this.#refusedOf(WINDOW_RESPONSES) >= WINDOW ||
      (isAsked && !this.#isRandom && this.#refusals >= FREQUENT);
    if (isCluster && !this.#isLimited) {
      this.#isLimited = true;
      this.#isRandom = false;
      if (this.#learned === undefined || this.#accepted >= LARGE_BURST) this.#guess();
      return true;
    }
    if (this.#learned === undefined) {
      // A row of 429s is waited for, because it says more about the rate.
      const isFrequent = this.#streak === 1 && this.#refusedOf(FREQUENT_RESPONSES) >= FREQUENT;
      if (isFrequent && !this.#isRandom && this.#throughput !== undefined) this.#learn(this.#throughput * SHARE);
      return false;
    }
    // Requests in flight at the last change give no new information, nor does a 429 after which none was accepted.
    if (began < this.#changedAt || (this.#isLimited && this.#acceptedSinceChange === 0)) return this.#isLimited;
    this.#refusedSinceChange++;
    const isAfterSome = this.#acceptedSinceChange >= UNCURED_GAP * this.#refusedSinceChange;
    if (isAfterSome && this.#proven === 0 && !this.#isGuess && ++this.#uncured >= UNCURED) {
      this.#forget();
      return false;
    }
    this.#lower(this.#learned);
    return this.#isLimited;
  }

  /** Accepted requests per second of late; undefined after too few since the last pause. */
  get #throughput(): number | undefined {
    const [first = 0] = this.#recent;
    if (this.#recent.length < RECENT) return undefined;
    return (this.#recent.length * 1000) / Math.max(1, this.#now() - first);
  }

  /** Drops a learned rate that did not help. */
  #forget(): void {
    this.#learned = undefined;
    this.#isLimited = false;
    this.#isRandom = true;
    this.#uncured = 0;
    this.#step = FIRST_STEP;
  }

  /** Learns a first rate from few requests: it is raised quickly until the next 429. */
  #guess(): void {
    const elapsed = this.#now() - this.#since - this.#pauseMs;
    const burstMs = Math.max(elapsed, this.#accepted < LARGE_BURST ? MIN_BURST_MS : LARGE_BURST_MS);
    this.#isGuess = elapsed < MIN_LEARN_MS || this.#accepted < MIN_ACCEPTED;
    this.#learn(Math.max(1, (this.#accepted / burstMs) * 1000 * SHARE));
    this.#measure();
  }

  #lower(rate: number): void {
    const elapsed = this.#now() - this.#since;
    // Whether the service accumulates allowance during the pause is unknown, so this is the mean of both cases.
    const perSecond =
      (this.#accepted / elapsed + this.#accepted / Math.max(elapsed - this.#pauseMs, elapsed / 4)) * 500;
    const isEnough = elapsed >= MIN_LEARN_MS && this.#accepted >= MIN_ACCEPTED;
    if (isEnough) {
      // Further 429s before that say nothing new, so the rate must still rise quickly.
      if (!this.#isGuess) this.#step = Math.max(MIN_STEP, this.#step / 2);
      // A measure that was mostly a pause is a guess, too.
      this.#isGuess &&= this.#proven === 0 && elapsed - this.#pauseMs < MIN_LEARN_MS;
      // The mean is too low if the rate was raised meanwhile.
      this.#learn(Math.max(perSecond, this.#proven) * SHARE);
      this.#measure();
    } else this.#learn(Math.max(Math.min(rate * 0.9, (this.#throughput ?? rate) * SHARE), this.#proven * SHARE));
  }

  #learn(rate: number): void {
    this.#learned = rate;
    this.#proven = 0;
    this.#steps = 0;
    this.#acceptedSinceChange = 0;
    this.#refusedSinceChange = 0;
    this.#changedAt = this.#now();
  }

  /** Begins to measure the accepted rate. */
  #measure(): void {
    this.#accepted = 0;
    this.#since = this.#now();
    this.#pauseMs = Math.max(0, this.#pausedUntil - this.#since);
  }

  /** Takes account of a pause that all requests make. @param resumesAt in milliseconds since the epoch */
  paused(resumesAt: number): void {
    const now = this.#now();
    // An allowance that accumulated during the pause says nothing about the rate.
    this.#recent.length = 0;
    this.#isResuming = true;
    // Each of the requests under way may bring the same pause.
    this.#pauseMs += Math.max(0, resumesAt - Math.max(now, this.#pausedUntil));
    this.#pausedUntil = Math.max(this.#pausedUntil, resumesAt);
    this.#changedAt = Math.max(now, resumesAt);
    // No request makes up for the pause.
    this.#nextAt = Math.max(this.#nextAt, this.#changedAt);
  }
}

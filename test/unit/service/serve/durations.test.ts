import { describe, expect, test } from 'vitest';
import { readDuration, readDurationRange } from '../../../../src/service/serve/option-values.js';

describe('durations', () => {
  test('are numbers with a unit', () => {
    expect(['250ms', '90s', '1.5s', '2m', '3h', '2d', '40', ' 7 s ', 40, '1w'].map(readDuration)).toEqual([
      250, 90_000, 1_500, 120_000, 10_800_000, 172_800_000, 40_000, 7_000, 40, 604_800_000,
    ]);
    expect(['', 's', '-1s', '1y', '1e3', 'soon', -1, Number.NaN].map(readDuration)).toEqual(Array(8).fill(undefined));
    expect(readDurationRange('20ms-80ms')).toEqual({ from: 20, to: 80 });
    expect(readDurationRange('20ms')).toEqual({ from: 20, to: 20 });
    expect(['80-20', '1-2-3', '-', '1-x'].map(readDurationRange)).toEqual(Array(4).fill(undefined));
  });
});

import { expect, test } from 'vitest';
import { strangeVariants } from '../../../../src/service/serve/parse-variants.js';
import { MIXES } from '../../../slow/mixes.js';

test('the mixes of test:slow have every value of every variant', () => {
  const valuesOf = (seeds: readonly number[]): string[] => {
    const values = seeds.flatMap((seed) => Object.entries(strangeVariants(seed)).map((pair) => pair.join('=')));
    return [...new Set(values)].sort();
  };
  expect(valuesOf(MIXES), 'choose other seeds').toEqual(valuesOf(Array.from({ length: 500 }, (_, seed) => seed)));
});

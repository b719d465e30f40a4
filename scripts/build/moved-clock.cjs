/** Preloaded for pictures: each process starts at the same date and time, so that the sample data is the same. */
const { now } = Date;
const shift = Date.UTC(2026, 8, 7, 9) - now();
Date.now = () => now() + shift;

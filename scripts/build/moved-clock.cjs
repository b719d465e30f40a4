/** Preloaded where pictures are taken: every start of the program is on the same day, so that the sample data is the same. */
const { now } = Date;
const shift = Date.UTC(2026, 8, 7, 9) - now();
Date.now = () => now() + shift;

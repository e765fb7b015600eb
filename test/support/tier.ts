/** Whether to run every case, as `npm run test:slow` does, or the part that fits into `npm test`. */
export const thorough = process.env.TEST_TIER === 'slow'

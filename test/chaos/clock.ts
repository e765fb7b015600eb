/** Loaded before the program: its clock is wrong by so many milliseconds (CLOCK_SHIFT_MS). The disk's and the store's are right. */
const shift = Number(process.env.CLOCK_SHIFT_MS ?? 0)
const right = Date.now.bind(Date)
Date.now = () => right() + shift

import { type Html, html, trusted } from '../../html.js'

/** 24 × 24, stroked in the colour of the surrounding text. */
const icon = (path: string): Html =>
  html`<svg class="icon" viewBox="0 0 24 24" width="16" height="16" aria-hidden="true" focusable="false">${trusted(path)}</svg>`

export const heart = icon('<path d="M12 20s-7.5-4.6-9.2-9A4.9 4.9 0 0 1 12 7.2 4.9 4.9 0 0 1 21.2 11c-1.7 4.4-9.2 9-9.2 9z"/>')
export const play = icon('<path d="M7 4.5v15l12-7.5z"/>')
export const remix = icon('<path d="M4 8h11a5 5 0 0 1 5 5M16 4l4 4-4 4M20 16H9a5 5 0 0 1-5-5M8 20l-4-4 4-4"/>')
export const star = icon('<path d="m12 3 2.7 5.8 6.3.8-4.6 4.4 1.2 6.2L12 17.1l-5.6 3.1 1.2-6.2L3 9.6l6.3-.8z"/>')
export const magnifier = icon('<circle cx="10.5" cy="10.5" r="6.5"/><path d="m15.5 15.5 5 5"/>')
export const arrow = icon('<path d="M5 12h14M13 6l6 6-6 6"/>')
export const cross = icon('<path d="M6 6l12 12M18 6 6 18"/>')
export const link = icon(
  '<path d="M10 14a4.5 4.5 0 0 0 6.4 0l3-3A4.5 4.5 0 0 0 13 4.6l-1 1M14 10a4.5 4.5 0 0 0-6.4 0l-3 3A4.5 4.5 0 0 0 11 19.4l1-1"/>',
)
export const person = icon('<circle cx="12" cy="8" r="4"/><path d="M4 20c.8-4 4-6 8-6s7.2 2 8 6"/>')

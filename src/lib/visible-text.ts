/** Controls, what reorders or hides text (bidi, zero width, tags, line separators), and halves of characters. Emoji keep U+FE0F. */
const HIDDEN = /(?!\uFE0F)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/**
 * Text from outside as one line that cannot control a terminal, deceive its reader or look like several lines: what is not
 * visible becomes `\u202e`. JSON stays the same JSON.
 */
export const visibleText = (text: string): string => text.replace(HIDDEN, (sign) => sign.split('').map(escapeUnit).join(''))

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

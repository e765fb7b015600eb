/** People type tags by hand: "#Habit Tracking" and "habit tracking" are the same tag. The key of a key is itself. */
export function tagKey(tag: string): string {
  return tag
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]+/gu, '-')
    .replace(/^[#-]+|-$/g, '')
}

/** The distinct keys of a creation's tags, in the order they were given. */
export const tagKeys = (tags: readonly string[]): string[] => [...new Set(tags.map(tagKey))].filter((key) => key !== '')

/** Made from the key alone, so that it does not depend on who used the tag first. */
export const tagLabel = (key: string): string => key.replaceAll('-', ' ')

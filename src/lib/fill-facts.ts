/** Replaces every `{{name}}` of a text by what `facts` has for it. */
export function fillFacts(markdown: string, facts: ReadonlyMap<string, string>): string {
  return markdown.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = facts.get(name)
    if (value === undefined) throw new Error(`the content asks for {{${name}}}, which nothing provides`)
    return value
  })
}

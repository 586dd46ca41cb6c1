/** The code of a language in a text in Markdown. */
export function examplesIn(text: string, language: string): string[] {
  return Array.from(text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms")), ([, code = ""]) => code);
}

/** Begins every file that is made from the definitions. */
export const HEADER =
  "// Made from the definitions in provider/ by `npm run generate`: change them, not this file.\n\n";

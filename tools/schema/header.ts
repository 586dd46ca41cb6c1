/** First line of every generated source file. */
export const HEADER =
  "// Made from the definitions in provider/ by `npm run generate`: change them, not this file.\n\n";

/** First line of a generated list of modules. */
export const INDEX = "// Made from the modules that it lists by `npm run generate`: change them, not this file.\n\n";

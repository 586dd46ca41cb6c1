/** First line of what each build writes into `sdk/generated/`. */
export const HEADER = "// Made from the definitions in provider/ by `npm run build`: change them, not this file.\n\n";

/** First line of a generated list of modules. */
export const INDEX = "// Made from the modules that it lists by `npm run generate`: change them, not this file.\n\n";

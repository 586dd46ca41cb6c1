/** Finds exports that no other file imports. What nothing else needs is no door. */
module.exports = {
  workspaces: {
    ".": {
      entry: [
        "{provider,emulator,sdk}/bin/*",
        "sdk/{component,dynamic}Host.ts",
        "sdk/generated/**/*.ts",
        "tools/**/main.ts",
        "tools/recordState.ts",
        "provider/engine/plugin/main.ts",
        "tests/**/*.ts",
        "emulator/console/page/**/*.{ts,tsx}",
        "templates/**/*.ts",
        // Lists of these are generated, and schemas of the client are public.
        "provider/resources/**/*.ts",
        "{client,emulator}/rest/*.ts",
        "client/schemas/*.ts",
      ],
      project: ["{client,provider,cli,sdk,common,emulator,tools}/**/*.{ts,tsx}"],
    },
  },
  // It does not see what is taken from a module that is loaded on first use.
  compilers: {
    ts: (text) =>
      text
        .replaceAll(
          /\((require\("[^"]+"\)) as typeof import\("[^"]+"\)\)\s*\.(\w+)/g,
          "(() => { const { $2 } = $1; return $2; })()",
        )
        .replaceAll(/ as typeof import\("[^"]+"\)/g, ""),
  },
};

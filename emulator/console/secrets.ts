const MASK = "••••••";

/** Record fields with a secret, in any kind. */
const SECRET_FIELDS: ReadonlySet<string> = new Set(["password", "s3Config"]);
/** Record fields whose every value may be a secret. */
const SECRET_TABLES: ReadonlySet<string> = new Set(["env", "injectedEnv"]);

type Fields = Readonly<Record<string, unknown>>;

/** A record with its secrets masked. Names stay, so that users see what is set. */
export function maskRecord(collection: string, record: object): Fields {
  const masked = maskFields(record);
  return collection === "secrets" ? { ...masked, value: MASK } : masked;
}

export const maskSettings = ({ keys, ...settings }: { readonly keys: readonly object[] }): Fields => ({
  ...settings,
  keys: keys.map((key) => ({ ...key, key: MASK })),
});

function maskFields(record: object): Fields {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, maskField(name, value)]));
}

function maskField(name: string, value: unknown): unknown {
  if (SECRET_FIELDS.has(name)) return MASK;
  if (typeof value !== "object" || value === null) return value;
  if (SECRET_TABLES.has(name)) return Object.fromEntries(Object.keys(value).map((key) => [key, MASK]));
  // A cluster stores its members' settings, with their environment.
  return name === "member" ? maskFields(value) : value;
}

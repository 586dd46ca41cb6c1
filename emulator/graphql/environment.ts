/** GraphQL has environments as lists of pairs; everywhere else they are maps. */
export interface EnvironmentVariable {
  readonly key: string;
  readonly value: string;
}

export const toMap = (variables: readonly EnvironmentVariable[]): Record<string, string> =>
  Object.fromEntries(variables.map(({ key, value }) => [key, value]));

export const toList = (env: Readonly<Record<string, string>>): EnvironmentVariable[] =>
  Object.entries(env).map(([key, value]) => ({ key, value }));

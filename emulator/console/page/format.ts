/** With two decimals; what is less than a cent and not nothing says so. */
export const usd = (amount: number): string =>
  amount > 0 && amount < 0.005 ? "< $0.01" : `$${amount.toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ",")}`;

/** A time of day by the emulator's clock, in UTC like everything in the service. */
export const timeOfDay = (at: number): string => new Date(at).toISOString().slice(11, 19);

export const dateAndTime = (at: number): string => new Date(at).toISOString().slice(0, 19).replace("T", " ");

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 3_600_000) return `${(ms / 60_000).toFixed(1)} min`;
  return `${(ms / 3_600_000).toFixed(1)} h`;
}

export const plural = (count: number, word: string): string =>
  `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

export const pretty = (value: unknown): string => JSON.stringify(value, null, 2) ?? "";

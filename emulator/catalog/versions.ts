/** Orders CUDA versions by number, part by part: 12.11 is newer than 12.2, and 12 means 12.0. */
export function compareVersions(a: string, b: string): number {
  const [majorA = 0, minorA = 0] = a.split(".").map(Number);
  const [majorB = 0, minorB = 0] = b.split(".").map(Number);
  return majorA - majorB || minorA - minorB;
}

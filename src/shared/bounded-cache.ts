/**
 * Caches expensive values by key. The cache is emptied when it reaches `most` entries, because
 * there may be any number of keys.
 */
export function createBoundedCache<Value>(most: number) {
  const values = new Map<string, Value>();
  return (key: string, make: () => Value): Value => {
    const known = values.get(key);
    if (known !== undefined) return known;
    if (values.size >= most) values.clear();
    const made = make();
    values.set(key, made);
    return made;
  };
}

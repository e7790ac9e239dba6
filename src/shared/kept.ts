/** What takes long to make, kept by its key: at most so many, and then all anew, since keys may come from anybody. */
export function kept<Value>(most: number) {
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

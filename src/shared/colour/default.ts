/**
 * The product's own colour, a deep sea green. Guest pages use it unless the property has its own
 * colour.
 */
export const DEFAULT_BRAND_COLOR = '#0f5e56';

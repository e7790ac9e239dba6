/** The product's own colour, a deep sea green. Guest pages have it unless the property has another. */
export const DEFAULT_BRAND_COLOR = '#0f5e56';

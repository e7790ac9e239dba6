/** All of a team's properties, to choose one: as components and the server ask it. */
export const PROPERTIES_ASKED = { limit: 100 };

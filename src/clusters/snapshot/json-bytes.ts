// Bytes of JSON. Exported one by one from a file of its own: so the bundler puts the values into the loops, which doubles their speed.
export const NEWLINE = 0x0a;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const DASH = 0x2d;
export const COLON = 0x3a;
export const EQUALS = 0x3d;
export const CAPITAL_T = 0x54;
export const CAPITAL_Z = 0x5a;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

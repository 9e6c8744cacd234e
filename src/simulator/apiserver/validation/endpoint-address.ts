/** What keeps an address from being that of an endpoint. Source: pkg/apis/core/validation/validation.go (ValidateEndpointIP). */
export function endpointTrouble(address: string): readonly string[] {
  const text = address.toLowerCase();
  if (text === '0.0.0.0' || text === '::') return [`may not be unspecified (${address})`];
  if (text.startsWith('127.') || text === '::1') return ['may not be in the loopback range (127.0.0.0/8, ::1/128)'];
  if (text.startsWith('169.254.') || /^fe[89ab]/.test(text)) return ['may not be in the link-local range (169.254.0.0/16, fe80::/10)'];
  return text.startsWith('224.0.0.') || /^ff.2:/.test(text)
    ? ['may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)']
    : [];
}

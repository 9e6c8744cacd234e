/**
 * Whether a message says more than that something fails: it ends with neither a machine word alone nor the name of the image it is about.
 */
export function saysWhy(message: string): boolean {
  return !/^(?:\w{1,40}: )?[A-Z]\w*$|image "[^"]*"$|^$/.test(message.trim());
}

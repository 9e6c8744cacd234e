/** Events about PodDisruptionBudgets. Source: pkg/controller/disruption/disruption.go. */
export const DISRUPTION_WORDS = {
  noPods: { type: 'Normal', reason: 'NoPods', message: 'No matching pods found' },
  notCalculated: (error: string) =>
    ({
      type: 'Warning',
      reason: 'CalculateExpectedPodCountFailed',
      message: `Failed to calculate the number of expected pods: ${error}`,
    }) as const,
  unmanaged: (selector: string) =>
    ({
      type: 'Warning',
      reason: 'UnmanagedPods',
      message: `Pods selected by this PodDisruptionBudget (selector: ${selector}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.`,
    }) as const,
  multiple: (namespace: string, pod: string, budget: string) =>
    ({
      type: 'Warning',
      reason: 'MultiplePodDisruptionBudgets',
      message: `Pod "${namespace}"/"${pod}" matches multiple PodDisruptionBudgets.  Chose "${budget}" arbitrarily.`,
    }) as const,
  notDeleted: (namespace: string, budget: string) =>
    ({
      type: 'Warning',
      reason: 'NotDeleted',
      message: `Pod was expected by PDB ${namespace}/${budget} to be deleted but it wasn't`,
    }) as const,
} as const;

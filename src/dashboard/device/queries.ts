'use client';
/** What the page at which a terminal is let in asks and does. */
import { useMutation } from '@tanstack/react-query';
import { type Outputs, useTRPC } from '../trpc';

export type WaitingDevice = Outputs['api_keys']['find_device'];

export function useFindDevice() {
  const trpc = useTRPC();
  return useMutation(trpc.api_keys.find_device.mutationOptions({ meta: { handlesError: true } }));
}

export function useAnswerDevice() {
  const trpc = useTRPC();
  const options = { meta: { handlesError: true } };
  const allow = useMutation(trpc.api_keys.allow_device.mutationOptions(options));
  const refuse = useMutation(trpc.api_keys.refuse_device.mutationOptions(options));
  return { allow, refuse };
}

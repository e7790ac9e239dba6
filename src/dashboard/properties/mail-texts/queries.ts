'use client';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Inputs, type Outputs, useTRPC } from '../../trpc';

export type Which = Inputs['properties']['mail_text'];
export type MailText = Outputs['properties']['mail_text'];
export type Words = Pick<Inputs['properties']['save_mail_text'], 'subject' | 'intro'>;

export function useMailText(which: Which) {
  const trpc = useTRPC();
  return useQuery(trpc.properties.mail_text.queryOptions(which, { placeholderData: keepPreviousData }));
}

export function useSaveMailText(onDone: () => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.properties.save_mail_text.mutationOptions({
      meta: { handlesError: true },
      onSuccess: (saved, { id, mail, locale }) => {
        queryClient.setQueryData(trpc.properties.mail_text.queryKey({ id, mail, locale }), saved);
        // Where something is written is said with every mail and language.
        void queryClient.invalidateQueries({ queryKey: trpc.properties.mail_text.pathKey() });
        onDone();
      },
    }),
  );
}

export function useSendTest() {
  const trpc = useTRPC();
  return useMutation(trpc.properties.send_mail_text_test.mutationOptions());
}

const TYPING_MS = 500;

/** The mail with what is typed, a moment after one stops. */
export function usePreview(which: Which, words: Words) {
  const trpc = useTRPC();
  const preview = useMutation(trpc.properties.preview_mail_text.mutationOptions({ meta: { handlesError: true } }));
  const { mutate } = preview;
  const { id, mail, locale } = which;
  const { subject, intro } = words;
  useEffect(() => {
    const timer = setTimeout(() => mutate({ id, mail, locale, subject, intro }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [mutate, id, mail, locale, subject, intro]);
  return preview;
}

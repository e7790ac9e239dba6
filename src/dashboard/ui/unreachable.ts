import { toast } from './overlay/toaster';

/** A part of the page could not be loaded: what was asked for can be asked for again. */
export const tellUnreachable = () =>
  toast.error('The server could not be reached. Check the connection and try again.');

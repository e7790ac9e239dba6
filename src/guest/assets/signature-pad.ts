/**
 * The optional drawn signature. The strokes on a canvas are stored as a PNG data URL in a hidden
 * field of the form.
 */
import { findElement, setLiveRegionText } from './dom';

const INK = '#1b1a18';

export function startSignaturePad(): void {
  const pad = findElement<HTMLElement>('[data-pad]');
  const canvas = pad && findElement<HTMLCanvasElement>('canvas', pad);
  const clear = pad && findElement<HTMLButtonElement>('[data-clear]', pad);
  const field = findElement<HTMLInputElement>('input[name="drawn_signature"]');
  const context = canvas?.getContext('2d');
  if (!pad || !canvas || !clear || !field || !context) return;
  const status = findElement('[data-pad-status]');

  context.lineWidth = 3.5;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.strokeStyle = INK;

  let drawing = false;
  let last = { x: 0, y: 0 };

  const pointOf = (event: PointerEvent) => {
    const box = canvas.getBoundingClientRect();
    return {
      x: ((event.clientX - box.left) / box.width) * canvas.width,
      y: ((event.clientY - box.top) / box.height) * canvas.height,
    };
  };
  const lineTo = (point: { x: number; y: number }) => {
    // Draws to the midpoint between two points, so that the line is curved and has no corners.
    const middle = { x: (last.x + point.x) / 2, y: (last.y + point.y) / 2 };
    context.quadraticCurveTo(last.x, last.y, middle.x, middle.y);
    context.stroke();
    context.beginPath();
    context.moveTo(middle.x, middle.y);
    last = point;
  };

  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    drawing = true;
    canvas.setPointerCapture(event.pointerId);
    last = pointOf(event);
    context.beginPath();
    context.moveTo(last.x, last.y);
    context.lineTo(last.x + 0.1, last.y);
    context.stroke();
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!drawing) return;
    const events = event.getCoalescedEvents?.() ?? [];
    for (const part of events.length > 0 ? events : [event]) lineTo(pointOf(part));
  });
  const end = () => {
    if (!drawing) return;
    drawing = false;
    field.value = canvas.toDataURL('image/png');
    clear.hidden = false;
    setLiveRegionText(status, pad.dataset.done ?? '');
  };
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', end);
  clear.addEventListener('click', () => {
    context.clearRect(0, 0, canvas.width, canvas.height);
    field.value = '';
    clear.hidden = true;
    setLiveRegionText(status, pad.dataset.cleared ?? '');
    findElement<HTMLInputElement>('#consent')?.focus();
  });
}

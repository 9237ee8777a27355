/** A float as PyYAML writes it: Python's shortest digits, with a point wherever YAML 1.1 wants one. */
export function pythonFloatText(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf';
  if (Object.is(value, -0)) return '-0.0';
  const [digits = '', exponentText = ''] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  // Python changes to an exponent below 1e-4 and from 1e16 on, and gives it two digits.
  if (exponent >= -4 && exponent < 16) return withPoint(plainDigits(value, digits, exponent));
  const sign = exponent < 0 ? '-' : '+';
  return `${withPoint(digits)}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function plainDigits(value: number, digits: string, exponent: number): string {
  if (exponent >= 0) return value.toFixed(Math.max(digits.replace(/[-.]/g, '').length - 1 - exponent, 0));
  const sign = value < 0 ? '-' : '';
  return `${sign}0.${'0'.repeat(-exponent - 1)}${digits.replace(/[-.]/g, '')}`;
}

function withPoint(text: string): string {
  return text.includes('.') ? text : `${text}.0`;
}

import { normalizeDocument } from './normalize-document';

describe('normalizeDocument', () => {
  it.each([
    ['529.982.247-25', 'cpf', '52998224725'],
    ['52998224725', 'cpf', '52998224725'],
    [' 529 982 247 25 ', 'cpf', '52998224725'],
    ['11.222.333/0001-81', 'cnpj', '11222333000181'],
    ['11222333000181', 'cnpj', '11222333000181'],
    // The alphanumeric CNPJ of July 2026: example of the Receita Federal.
    ['12.ABC.345/01DE-35', 'cnpj', '12ABC34501DE35'],
    ['12.abc.345/01de-35', 'cnpj', '12ABC34501DE35'],
    ['12abc34501DE35', 'cnpj', '12ABC34501DE35'],
    ['11.222.333/0001\u201381', 'cnpj', '11222333000181'],
    ['529.982.247\u221225', 'cpf', '52998224725'],
    ['529.982.247\u201025\u200b', 'cpf', '52998224725'],
    ['\ufeff529\u00ad.982.247-25', 'cpf', '52998224725'],
    // The first CNPJ: Banco do Brasil.
    ['00.000.000/0001-91', 'cnpj', '00000000000191'],
  ] as const)('%j as %s is %s', (document, type, bare) => {
    expect(normalizeDocument(document, type)).toBe(bare);
  });

  it.each([
    ['529.982.247-26', 'cpf'],
    ['111.111.111-11', 'cpf'],
    ['000.000.000-00', 'cpf'],
    ['5299822472', 'cpf'],
    ['529982247255', 'cpf'],
    ['5299822472A', 'cpf'],
    ['11.222.333/0001-81', 'cpf'],
    ['11.222.333/0001-82', 'cnpj'],
    ['00.000.000/0000-00', 'cnpj'],
    ['12.ABC.345/01DE-36', 'cnpj'],
    ['12.ABC.345/01DE-3A', 'cnpj'],
    ['529.982.247-25', 'cnpj'],
    ['', 'cnpj'],
    ['--', 'cpf'],
    ['11222333000181; DROP TABLE tenants', 'cnpj'],
    ["11222333000181'", 'cnpj'],
    ['11,222,333/0001-81', 'cnpj'],
    ['11.222.333/0001_81', 'cnpj'],
    ['12.ABC.345/01DE-35é', 'cnpj'],
    ['529.982.247-25\0', 'cpf'],
    ['+529.982.247-25', 'cpf'],
    ['5299822472५', 'cpf'],
    ['１１２２２３３３０００１８１', 'cnpj'],
  ] as const)('%j is not a %s', (document, type) => {
    expect(normalizeDocument(document, type)).toBeNull();
  });
});

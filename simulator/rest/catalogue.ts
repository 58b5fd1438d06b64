// What the provider sells and knows: countries, DID groups, zones, credit packages, postal codes, extra fields.
// Invented, but shaped as in the third-party interface: some countries enforce postal codes, some need no
// verification.

export const didTypes = [
	'GEOGRAPHIC',
	'TOLL_FREE',
	'NATIONAL',
	'MOBILE',
	'INUM',
	'SHARED_COST',
	'SPECIAL',
] as const;
export type DidType = (typeof didTypes)[number];

/** ISO 3166-1 alpha-3. */
export const countries: ReadonlySet<string> = new Set(
	(
		'ABW AFG AGO AIA ALA ALB AND ARE ARG ARM ASM ATA ATF ATG AUS AUT AZE BDI BEL BEN BES BFA BGD BGR BHR BHS BIH ' +
		'BLM BLR BLZ BMU BOL BRA BRB BRN BTN BVT BWA CAF CAN CCK CHE CHL CHN CIV CMR COD COG COK COL COM CPV CRI ' +
		'CUB CUW CXR CYM CYP CZE DEU DJI DMA DNK DOM DZA ECU EGY ERI ESH ESP EST ETH FIN FJI FLK FRA FRO FSM GAB ' +
		'GBR GEO GGY GHA GIB GIN GLP GMB GNB GNQ GRC GRD GRL GTM GUF GUM GUY HKG HMD HND HRV HTI HUN IDN IMN IND ' +
		'IOT IRL IRN IRQ ISL ISR ITA JAM JEY JOR JPN KAZ KEN KGZ KHM KIR KNA KOR KWT LAO LBN LBR LBY LCA LIE LKA ' +
		'LSO LTU LUX LVA MAC MAF MAR MCO MDA MDG MDV MEX MHL MKD MLI MLT MMR MNE MNG MNP MOZ MRT MSR MTQ MUS MWI ' +
		'MYS MYT NAM NCL NER NFK NGA NIC NIU NLD NOR NPL NRU NZL OMN PAK PAN PCN PER PHL PLW PNG POL PRI PRK PRT ' +
		'PRY PSE PYF QAT REU ROU RUS RWA SAU SDN SEN SGP SGS SHN SJM SLB SLE SLV SMR SOM SPM SRB SSD STP SUR SVK ' +
		'SVN SWE SWZ SXM SYC SYR TCA TCD TGO THA TJK TKL TKM TLS TON TTO TUN TUR TUV TWN TZA UGA UKR UMI URY USA ' +
		'UZB VAT VCT VEN VGB VIR VNM VUT WLF WSM YEM ZAF ZMB ZWE'
	).split(' '),
);

/** Destination countries whose numbers need no verified address. */
export const withoutVerification: ReadonlySet<string> = new Set(['USA', 'CAN', 'GBR', 'POL']);

/** Country-specific fields by their display names, with the format of their values. */
export const extraFields: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
	CHE: { 'Municipality Code': /^\d{4}$/ },
	ESP: { 'VAT Number': /^[A-Z0-9]{9}$/ },
	ITA: { 'Fiscal Code': /^[A-Z0-9]{11,16}$/ },
	BRA: { 'CPF or CNPJ': /^\d{11}(\d{3})?$/ },
};

/** Whether the details of an identity document are required: for FRA + GEOGRAPHIC, ZAF and ITA. */
export function needsIdentityDocument(destination: string, didType: string) {
	return (
		destination === 'ZAF' ||
		destination === 'ITA' ||
		(destination === 'FRA' && didType === 'GEOGRAPHIC')
	);
}

export interface CityZipCode {
	cityName: string;
	zipCode: string;
	/** Not shown to clients: the query parameter `areaCode` selects by it. */
	areaCode: string;
}

const city = (areaCode: string, cityName: string, from: number, count: number): CityZipCode[] =>
	Array.from({ length: count }, (_, index) => ({
		areaCode,
		cityName,
		zipCode: String(from + index).padStart(5, '0'),
	}));

/** Postal codes of the countries that enforce them; no entry = not enforced. DEU is long enough for three pages. */
export const zipCodes: Readonly<Record<string, readonly CityZipCode[]>> = {
	FRA: [
		...city('1', 'Paris', 75001, 20),
		...city('2', 'Rennes', 35000, 1),
		...city('3', 'Lille', 59000, 1),
		...city('3', 'Strasbourg', 67000, 1),
		...city('4', 'Lyon', 69001, 9),
		...city('4', 'Marseille', 13001, 16),
		...city('4', 'Nice', 6000, 1),
		...city('5', 'Toulouse', 31000, 1),
		...city('5', 'Bordeaux', 33000, 1),
	],
	BEL: [
		{ areaCode: '2', cityName: 'Bruxelles', zipCode: '1000' },
		{ areaCode: '3', cityName: 'Antwerpen', zipCode: '2000' },
		{ areaCode: '4', cityName: 'Liège', zipCode: '4000' },
	],
	DEU: [
		...city('30', 'Berlin', 10115, 3000),
		...city('40', 'Hamburg', 20095, 2000),
		...city('89', 'München', 80331, 3000),
		...city('69', 'Frankfurt am Main', 60306, 3500),
	],
};

export interface DidGroup {
	didGroupId: number;
	countryCodeA3: string;
	didType: DidType;
	/** First number of the block that is on sale; the others follow. */
	firstE164: number;
	/** Numbers in the block, the sold ones included. */
	size: number;
	/** Not on sale: code 404. */
	orderable: boolean;
	needsAddress: boolean;
	price: number;
}

/** Fresh copies, because each provider has a stock of its own. */
export function demoDidGroups(): DidGroup[] {
	const group = (
		didGroupId: number,
		countryCodeA3: string,
		didType: DidType,
		firstE164: number,
		rest: Partial<DidGroup> = {},
	): DidGroup => ({
		didGroupId,
		countryCodeA3,
		didType,
		firstE164,
		size: 1000,
		orderable: true,
		needsAddress: true,
		price: 1,
		...rest,
	});
	return [
		group(6001, 'FRA', 'GEOGRAPHIC', 33199010000),
		group(6002, 'FRA', 'NATIONAL', 33999010000),
		group(6003, 'BEL', 'GEOGRAPHIC', 3229010000),
		group(6004, 'USA', 'GEOGRAPHIC', 12025550100, { needsAddress: false }),
		group(6005, 'DEU', 'TOLL_FREE', 498009010000, { size: 5, price: 10 }),
		group(6006, 'ITA', 'GEOGRAPHIC', 390699010000, { orderable: false }),
		group(6007, 'CHE', 'GEOGRAPHIC', 41229010000),
	];
}

/** Prices of ten channels by zone. */
export const zones: Readonly<Record<string, number>> = { A: 20, B: 50, C: 120, WORLD: 250 };

/** Prices of the credit packages by id. */
export const creditPackages: Readonly<Record<number, number>> = { 1: 50, 2: 100, 3: 500 };

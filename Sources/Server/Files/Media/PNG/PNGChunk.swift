/// The chunks of a PNG file that are kept (PNG, third edition, 5.6).
enum PNGChunk {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static let header = "IHDR"
    static let palette = "PLTE"
    static let data = "IDAT"
    static let end = "IEND"
    static let animation = "acTL"
    static let frame = "fcTL"
    static let frameData = "fdAT"
    static let exif = "eXIf"

    /// Transparency and color, and the sizes that are valid. All precede the image data, each occurs once.
    static let properties: [String: ClosedRange<Int>] = [
        "tRNS": 1...256, "gAMA": 4...4, "cHRM": 32...32, "sRGB": 1...1, "sBIT": 1...4, "cICP": 4...4, "mDCV": 24...24,
        "cLLI": 8...8, "iCCP": 8...MediaBounds.profileBytes,
    ]

    /// Whether a file cannot be shown without knowing the chunk: its first letter is a capital.
    static func isCritical(_ type: ArraySlice<UInt8>) -> Bool { (0x41...0x5A).contains(type.first ?? 0) }

    static func isValid(_ type: ArraySlice<UInt8>) -> Bool {
        type.allSatisfy { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
    }

    /// The valid bit depths by color type (11.2.1).
    static let depths: [Int: Set<Int>] = [
        0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
    ]
    static let paletteColor = 3
}

/// Hand-built GIF files.
enum GIFSample {
    /// With a color table of two colors.
    static func head(_ width: Int, _ height: Int) -> [UInt8] {
        join(text("GIF89a"), little(width, 2), little(height, 2), [0x80, 0, 0], [0, 0, 0, 255, 255, 255])
    }

    static let control: [UInt8] = [0x21, 0xF9, 4, 0, 10, 0, 0, 0]
    static let loop: [UInt8] = [0x21, 0xFF, 11] + text("NETSCAPE2.0") + [3, 1, 0, 0, 0]
    static let comment: [UInt8] = [0x21, 0xFE, UInt8(secret.count)] + secret + [0]
    static let xmp = join([0x21, 0xFF, 11], text("XMP DataXMP"), [UInt8(secret.count)], secret, [0])
    static let plainText = join([0x21, 0x01, 12], zeros(12), [UInt8(secret.count)], secret, [0])

    static func frame(_ width: Int = 16, _ height: Int = 8, x: Int = 0, codeSize: UInt8 = 2) -> [UInt8] {
        join([0x2C], little(x, 2), [0, 0], little(width, 2), little(height, 2), [0, codeSize, 2, 0x44, 0x01, 0])
    }

    static func file(_ blocks: [UInt8], after: [UInt8] = []) -> [UInt8] { head(16, 8) + blocks + [0x3B] + after }

    static let full = file(
        comment + xmp + loop + control + frame() + comment + control + plainText + control + frame() + xmp,
        after: secret)

    static let copyOfFull = file(loop + control + frame() + control + frame())
}

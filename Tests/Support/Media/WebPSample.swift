/// Hand-built WebP files.
enum WebPSample {
    static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
        text(type) + little(body.count, 4) + body + zeros(body.count % 2)
    }

    static func file(_ chunks: [UInt8], size: Int? = nil, after: [UInt8] = []) -> [UInt8] {
        join(text("RIFF"), little(size ?? chunks.count + 4, 4), text("WEBP"), chunks, after)
    }

    static func lossy(
        _ width: Int = 16, _ height: Int = 8, tag: UInt8 = 0x10, rest: [UInt8] = [1, 2, 3]
    ) -> [UInt8] {
        chunk("VP8 ", join([tag, 0, 0, 0x9D, 0x01, 0x2A], little(width, 2), little(height, 2), rest))
    }

    static func lossless(_ width: Int = 16, _ height: Int = 8) -> [UInt8] {
        chunk("VP8L", join([0x2F], little((width - 1) | (height - 1) << 14, 4), [1, 2]))
    }

    static func canvas(_ width: Int = 16, _ height: Int = 8, flags: UInt8) -> [UInt8] {
        chunk("VP8X", join([flags, 0, 0, 0], little(width - 1, 3), little(height - 1, 3)))
    }

    static let profile = chunk("ICCP", zeros(129))
    static let alpha = chunk("ALPH", [0, 1, 2])
    static let metadata = chunk("EXIF", secret) + chunk("XMP ", secret)
    static let animation = chunk("ANIM", zeros(6))

    static func frame(_ content: [UInt8] = WebPSample.lossy(), _ width: Int = 16, _ height: Int = 8, x: Int = 0)
        -> [UInt8]
    {
        chunk("ANMF", join(little(x, 3), zeros(3), little(width - 1, 3), little(height - 1, 3), zeros(4), content))
    }

    static let full = file(
        canvas(flags: 0xFC) + profile + chunk("JUNK", secret) + alpha + lossy() + metadata + chunk("abcd", secret),
        after: secret)
    static let copyOfFull = file(canvas(flags: 0x30) + profile + alpha + lossy())

    static let animated = file(
        canvas(flags: 0x1E) + animation + frame() + metadata + frame(alpha + lossy()) + frame(lossless()) + metadata)
    static let copyOfAnimated = file(
        canvas(flags: 0x12) + animation + frame() + frame(alpha + lossy()) + frame(lossless()))
}

/// Hand-built PNG files.
enum PNGSample {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
        join(big(body.count, 4), text(type), body, big(Int(checksum(text(type) + body)), 4))
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 0 ? 0 : 0xEDB8_8320) }
        }
    }

    static func header(_ width: Int, _ height: Int, depth: UInt8 = 8, color: UInt8 = 0) -> [UInt8] {
        chunk("IHDR", big(width, 4) + big(height, 4) + [depth, color, 0, 0, 0])
    }

    static let data = chunk("IDAT", [1, 2, 3, 4])
    static let end = chunk("IEND", [])

    static func file(
        _ chunks: [UInt8] = [], header: [UInt8] = PNGSample.header(16, 8), data: [UInt8] = PNGSample.data,
        after: [UInt8] = []
    ) -> [UInt8] {
        join(signature, header, chunks, data, end, after)
    }

    static let kept =
        chunk("gAMA", big(45_455, 4)) + chunk("sRGB", [0]) + chunk("cHRM", zeros(32)) + chunk("tRNS", [0, 1])

    static let full = file(
        chunk("tEXt", text("Comment\0") + secret) + kept + chunk("eXIf", secret) + chunk("iTXt", secret)
            + chunk("tIME", zeros(7)) + chunk("prVt", secret),
        data: data + data + chunk("zTXt", secret), after: secret)

    static let copyOfFull = file(kept, data: data + data)

    static func frame(_ sequence: Int, _ width: Int = 16, _ height: Int = 8, x: Int = 0) -> [UInt8] {
        chunk(
            "fcTL",
            join(big(sequence, 4), big(width, 4), big(height, 4), big(x, 4), zeros(4), [0, 1, 0, 10, 0, 0]))
    }

    static func frameData(_ sequence: Int, _ content: [UInt8] = [1, 2, 3]) -> [UInt8] {
        chunk("fdAT", big(sequence, 4) + content)
    }

    /// Exif data that states an orientation and nothing else.
    static func orientation(_ value: UInt8) -> [UInt8] {
        join(text("MM"), [0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, value, 0, 0], zeros(4))
    }

    /// Exif data with an orientation and a place, in the other byte order.
    static func photo(_ orientation: UInt8) -> [UInt8] {
        join(
            text("II"), [42, 0, 8, 0, 0, 0, 2, 0], [0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0],
            [0x25, 0x88, 4, 0, 1, 0, 0, 0, 38, 0, 0, 0], zeros(4), secret)
    }

    /// An animation of two frames, the second one in several pieces of which one is empty.
    static let animatedWithEmptyPiece = file(
        animation(2) + frame(0), data: join(data, frame(1), frameData(2), frameData(3, []), frameData(4)))

    static func animation(_ count: Int) -> [UInt8] { chunk("acTL", big(count, 4) + zeros(4)) }

    /// An animation of `count` frames.
    static func animated(_ count: Int, stated: Int? = nil) -> [UInt8] {
        let rest = (1..<max(count, 1)).flatMap { frame(2 * $0 - 1) + frameData(2 * $0) }
        return file(animation(stated ?? count) + frame(0), data: data + rest)
    }
}

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The size of a character cell in pixels.
public struct CellSize: Sendable, Equatable {
    public let width, height: Int

    /// - Parameters:
    ///   - width: The width, which is limited to 1 to 16 pixels.
    ///   - height: The height, which is limited to 1 to 32 pixels, so that a picture has a bounded number of them.
    public init(width: Int, height: Int) {
        self.width = min(max(1, width), 16)
        self.height = min(max(1, height), 32)
    }

    /// The size in most terminals.
    public static let usual = CellSize(width: 8, height: 16)
    /// Half blocks show a pixel above another one.
    public static let halfBlock = CellSize(width: 1, height: 2)

    /// The size in the terminal of standard output; the usual one if the terminal does not state it.
    public static func current() -> CellSize {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return usual }
        let (width, height) = (Int(size.ws_xpixel) / Int(size.ws_col), Int(size.ws_ypixel) / Int(size.ws_row))
        // Some terminals state impossible numbers.
        guard (4...64).contains(width), (width...4 * width).contains(height) else { return usual }
        return CellSize(width: width, height: height)
    }
}

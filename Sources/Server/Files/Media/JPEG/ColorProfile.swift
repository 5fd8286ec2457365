/// Checks a color profile that is split into segments (ICC.1:2022, annex B.4).
struct ColorProfile {
    static let mark = Array("ICC_PROFILE\0".utf8)

    private var segments = 0
    private var count = 0
    private var size = 0
    private var statedSize = 0
    private var isValid = true

    /// Adds the content of an APP2 segment, which may also contain something else.
    mutating func add(_ body: ArraySlice<UInt8>) {
        guard body.starts(with: Self.mark) else { return }
        segments += 1
        let data = body.dropFirst(Self.mark.count + 2)
        if segments == 1 {
            count = body.big(Self.mark.count + 1, 1)
            statedSize = data.big(0, 4)
            isValid = data.count >= MediaBounds.profileHeader && data.text(36, 4) == "acsp"
        }
        size += data.count
        let isNext = body.big(Self.mark.count, 1) == segments && body.big(Self.mark.count + 1, 1) == count
        isValid = isValid && isNext && segments <= count && size <= MediaBounds.profileBytes
    }

    /// Whether all segments are there, in order, and have the size that the profile states.
    var isComplete: Bool { segments > 0 && isValid && segments == count && size == statedSize }
}

/// The only property of a photo that is kept: how it has to be turned (Exif 2.32, 4.6.4).
enum Exif {
    private static let mark = Array("Exif\0\0".utf8)
    private static let orientationTag = 0x0112
    private static let shortType = 3
    /// The maximum number of entries that are examined.
    private static let maximumEntries = 1000

    /// The orientation, from 1 to 8, in the content of an APP1 segment; `nil` if it does not state one.
    static func orientation(in segment: ArraySlice<UInt8>) -> UInt8? {
        segment.starts(with: mark) ? orientation(inTIFF: segment.dropFirst(mark.count)) : nil
    }

    /// The orientation, from 1 to 8, in the content of an `eXIf` chunk (PNG, third edition, 11.3.4.5); `nil` if it does not
    /// state one.
    static func orientation(inTIFF tiff: ArraySlice<UInt8>) -> UInt8? {
        switch tiff.text(0, 2) {
        case "MM": return orientation(in: tiff) { tiff.big($0, $1) }
        case "II": return orientation(in: tiff) { tiff.little($0, $1) }
        default: return nil
        }
    }

    private static func orientation(in tiff: ArraySlice<UInt8>, number: (_ offset: Int, _ count: Int) -> Int) -> UInt8?
    {
        let directory = number(4, 4)
        guard tiff.count >= 8, number(2, 2) == 42, directory <= tiff.count - 2 else { return nil }
        for index in 0..<min(number(directory, 2), maximumEntries) {
            let entry = directory + 2 + 12 * index
            guard entry <= tiff.count - 12 else { return nil }
            guard number(entry, 2) == orientationTag else { continue }
            guard number(entry + 2, 2) == shortType, number(entry + 4, 4) == 1 else { return nil }
            let value = UInt8(truncatingIfNeeded: number(entry + 8, 2))
            return number(entry + 8, 2) < 9 && value > 0 ? value : nil
        }
        return nil
    }

    /// The content of an APP1 segment that states an orientation and nothing else.
    static func segment(orientation: UInt8) -> [UInt8] { mark + tiff(orientation: orientation) }

    /// The content of an `eXIf` chunk that states an orientation and nothing else.
    static func tiff(orientation: UInt8) -> [UInt8] {
        let header: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
        let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
        return header + [0, 1] + entry + [0, 0, 0, 0]
    }
}

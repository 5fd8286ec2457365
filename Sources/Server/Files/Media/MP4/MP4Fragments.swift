/// The duration of a fragmented movie (ISO/IEC 14496-12, 8.8): its header states that of its beginning, or none.
struct MP4Fragments {
    private struct Track {
        var timescale: UInt64 = 0
        /// The duration of a sample, where the file states no other one.
        var sampleDuration: UInt64 = 0
        /// The time at which the first fragment starts, and that at which the last one ends, in units of the timescale.
        var start: UInt64?
        var end: UInt64 = 0

        func milliseconds(from beginning: UInt64?) -> Int64? {
            guard timescale > 0, let start = start.map({ beginning ?? $0 }), end > start else { return nil }
            return Int64((end - start) * 1000 / timescale)
        }
    }

    /// The latest accepted time. Sums of such times, and their products with 1000, do not overflow.
    private static let latest: UInt64 = 1 << 50
    private static let maximumTracks = 1000

    private var tracks: [UInt64: Track] = [:]
    /// The track of the current box.
    private var current: UInt64 = 0
    private var sampleDuration: UInt64 = 0
    /// Whether a box is too long to be read, or invalid.
    private var isUnknown = false
    /// Whether the fragments continue a movie, which starts at 0. Others may be part of a broadcast.
    var continueMovie = false

    /// Milliseconds; `nil` if there are no fragments, or if it is unknown.
    var milliseconds: Int64? {
        isUnknown ? nil : tracks.values.compactMap { $0.milliseconds(from: continueMovie ? 0 : nil) }.max()
    }

    /// - Parameter body: The content of a box of the type `type`.
    mutating func read(_ type: String, _ body: ArraySlice<UInt8>, isWhole: Bool) {
        let isLong = body.first == 1
        switch type {
        case "tkhd": current = body.part(isLong ? 20 : 12, 4).bigEndian
        case "mdhd": change { $0.timescale = body.part(isLong ? 20 : 12, 4).bigEndian }
        case "trex":
            current = body.part(4, 4).bigEndian
            change { $0.sampleDuration = body.part(12, 4).bigEndian }
        case "tfhd": startFragment(body)
        case "tfdt": setTime(body.part(4, isLong ? 8 : 4).bigEndian)
        case "trun": addSamples(body, isWhole: isWhole)
        default: break
        }
    }

    private mutating func change(_ body: (inout Track) -> Void) {
        guard tracks.count < Self.maximumTracks || tracks[current] != nil else { return isUnknown = true }
        body(&tracks[current, default: Track()])
    }

    private mutating func startFragment(_ body: ArraySlice<UInt8>) {
        current = body.part(4, 4).bigEndian
        let flags = body.big(1, 3)
        let offset = 8 + (flags & 1 == 0 ? 0 : 8) + (flags & 2 == 0 ? 0 : 4)
        sampleDuration = flags & 8 == 0 ? tracks[current]?.sampleDuration ?? 0 : body.part(offset, 4).bigEndian
    }

    private mutating func setTime(_ time: UInt64) {
        guard time < Self.latest else { return isUnknown = true }
        change { track in
            track.start = min(track.start ?? time, time)
            track.end = max(track.end, time)
        }
    }

    private mutating func addSamples(_ body: ArraySlice<UInt8>, isWhole: Bool) {
        guard let duration = duration(of: body, isWhole: isWhole) else { return isUnknown = true }
        change { track in
            track.start = track.start ?? 0
            track.end = min(track.end + duration, Self.latest)
        }
    }

    /// The sum of the durations of the samples of a `trun` box.
    private func duration(of body: ArraySlice<UInt8>, isWhole: Bool) -> UInt64? {
        let (flags, count) = (body.big(1, 3), body.part(4, 4).bigEndian)
        guard flags & 0x100 != 0 else { return sampleDuration * count < Self.latest ? sampleDuration * count : nil }
        let start = 8 + (flags & 1 == 0 ? 0 : 4) + (flags & 4 == 0 ? 0 : 4)
        // A sample has up to four fields, of which the duration is the first.
        let length = 4 * (flags >> 8 & 15).nonzeroBitCount
        guard isWhole, UInt64(body.count) >= UInt64(start) + count * UInt64(length) else { return nil }
        return stride(from: start, to: start + Int(count) * length, by: length)
            .reduce(0) { $0 + body.part($1, 4).bigEndian }
    }
}

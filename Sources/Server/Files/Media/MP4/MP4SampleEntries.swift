/// Removes from boxes with entries what programs and cameras add to them.
enum MP4SampleEntries {
    /// Boxes inside an entry that describe where and by whom the samples were made: they become `free`.
    private static let hidden: Set<String> = ["udta", "meta", "uuid", "name"]
    /// The lengths in bytes of entries without the boxes that they contain, by the handler of the track (12.1.3, 12.2.3,
    /// and for time codes the QuickTime File Format). Sound in QuickTime can have longer ones.
    private static let lengths = ["vide": 86, "soun": 36, "tmcd": 34]

    /// Changes the content of `stsd`.
    /// - Parameter handler: The handler of the track.
    static func clean(_ body: inout [UInt8], handler: String) {
        guard let fixed = lengths[handler] else { return }
        for entry in boxes(in: body, from: 8, to: body.count) where entry.count >= fixed {
            // The name of the compressor, in which cameras store their own.
            if handler == "vide" { blank(&body, (entry.lowerBound + 50)..<(entry.lowerBound + 82)) }
            let extra = handler == "soun" ? [0: 0, 1: 16, 2: 36][body.big(entry.lowerBound + 16, 2)] ?? 0 : 0
            let content = entry.lowerBound + fixed + extra
            for box in boxes(in: body, from: content, to: entry.upperBound)
            where hidden.contains(body.text(box.lowerBound + 4, 4)) {
                body.replaceSubrange(box.lowerBound + 4..<box.lowerBound + 8, with: "free".utf8)
                blank(&body, (box.lowerBound + 8)..<box.upperBound)
            }
        }
    }

    /// Changes the content of `dref`: the samples are in this file, so no address of another one is needed (8.7.2).
    static func removeAddresses(_ body: inout [UInt8]) {
        for entry in boxes(in: body, from: 8, to: body.count) {
            blank(&body, min(entry.lowerBound + 12, entry.upperBound)..<entry.upperBound)
        }
    }

    /// The positions of boxes that follow each other, up to the first one that is not valid.
    private static func boxes(in body: [UInt8], from start: Int, to end: Int) -> [Range<Int>] {
        var (start, boxes): (Int, [Range<Int>]) = (start, [])
        while start + 8 <= end {
            let length = body.big(start, 4)
            guard length >= 8, length <= end - start else { break }
            boxes.append(start..<start + length)
            start += length
        }
        return boxes
    }

    private static func blank(_ body: inout [UInt8], _ range: Range<Int>) {
        for index in range { body[index] = 0 }
    }
}

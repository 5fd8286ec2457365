/// The palette of 256 colors that xterm introduced: a cube with six levels per channel from 16 on, and 24 grays from 232
/// on. The first 16 depend on the user's settings.
enum IndexedColor {
    private static let levels = [0, 95, 135, 175, 215, 255]

    /// The number of the most similar color.
    static func nearest(to color: PicturePixels.Color) -> Int {
        let channels = [color.red, color.green, color.blue].map(Int.init)
        let cube = channels.map(nearestLevel)
        let gray = min(max(0, (channels.reduce(0, +) / 3 - 3) / 10), 23)
        let cubeDistance = distance(channels, cube.map { levels[$0] })
        let grayDistance = distance(channels, [Int](repeating: 8 + 10 * gray, count: 3))
        return grayDistance < cubeDistance ? 232 + gray : 16 + 36 * cube[0] + 6 * cube[1] + cube[2]
    }

    private static func nearestLevel(_ value: Int) -> Int {
        levels.indices.min { abs(levels[$0] - value) < abs(levels[$1] - value) } ?? 0
    }

    private static func distance(_ one: [Int], _ other: [Int]) -> Int {
        zip(one, other).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    }
}

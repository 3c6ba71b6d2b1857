"""What errors say in Vietnamese."""

from __future__ import annotations

from typing import Final

from mcp_assay.judge.errors.patterns import (
    CERTAIN,
    FAIR,
    STRONG,
    business,
    conversion,
    environment,
    failure,
    table,
    unclear,
)

VIETNAMESE: Final = table(
    "vietnamese",
    failure(
        CERTAIN,
        """
        tham chiếu null | con trỏ null | con trỏ rỗng | tham chiếu rỗng | mong đợi … null
        mong đợi … none | mong đợi … undefined | kỳ vọng … null | kỳ vọng … none
        kỳ vọng … undefined | cần … null | cần … none | cần … undefined | nhận được null
        nhận được none | nhận được undefined | nhận null | nhận none | nhận undefined
        trả về null | trả về none | trả về undefined | là null | là none | là undefined
        mẫu nội bộ | bảng nội bộ | mô đun nội bộ | khuôn mẫu nội bộ | chia cho 0 | chia cho không
        chia cho số 0 | chưa được cài đặt trong mã | chưa được triển khai | chưa triển khai
        chưa được hiện thực | chưa được lập trình | ngoài phạm vi mảng | ngoài giới hạn mảng
        vượt quá giới hạn mảng | chỉ số ngoài | chỉ mục ngoài | chỉ số vượt
        ngoại lệ chưa được xử lý | ngoại lệ không được xử lý | ngoại lệ chưa xử lý | tràn ngăn xếp
        tràn bộ nhớ đệm | lỗi lập trình | lỗi trong mã | lỗi mã nguồn
        biến … chưa được định nghĩa | biến … không được định nghĩa | biến … chưa được khai báo
        chưa được định nghĩa | không được định nghĩa | kiểu không mong đợi | tuần tự hóa
        không có thuộc tính | không có phương thức
        """,
    ),
    conversion(
        CERTAIN,
        """
        cột … không tồn tại | bảng … không tồn tại | quan hệ … không tồn tại | lỗi cú pháp
        không thể phân tích | không thể giải mã | không thể chuyển đổi | không phân tích được
        """,
    ),
    environment(
        CERTAIN,
        """
        không thể kết nối | không kết nối được | lỗi kết nối | mất kết nối | kết nối bị từ chối
        kết nối thất bại | kết nối bị ngắt | kết nối đến | kết nối tới | kết nối | máy in
        hết giấy | kẹt giấy | chứng chỉ | không phản hồi | không trả lời | không có phản hồi
        biến môi trường | chưa được thiết lập | chưa được cấu hình | chưa cấu hình
        chưa thiết lập | thời gian chờ | hết thời gian | quá thời gian | bảo trì | tạm thời
        quá tải | ổ đĩa | dung lượng đĩa | đĩa đầy | hết dung lượng | không còn dung lượng
        không còn chỗ trống trên | cơ sở dữ liệu … bị khóa | cơ sở dữ liệu … đang khóa
        dịch vụ … ngừng hoạt động | dịch vụ … quá tải | dịch vụ … trả về lỗi | dịch vụ … gián đoạn
        máy chủ … ngừng hoạt động | máy chủ … quá tải | máy chủ … trả về lỗi | máy chủ … gián đoạn
        hệ thống … ngừng hoạt động | hệ thống … quá tải | hệ thống … trả về lỗi
        hệ thống … gián đoạn | nhà cung cấp … ngừng hoạt động | nhà cung cấp … quá tải
        nhà cung cấp … trả về lỗi | nhà cung cấp … gián đoạn | không khả dụng | chưa được cài đặt
        chưa cài đặt | lỗi mạng | không có mạng | không thể truy cập máy chủ | không thể phân giải
        hết bộ nhớ | không đủ bộ nhớ | chỉ đọc
        """,
    ),
    business(
        STRONG,
        """
        đã được đặt | đã có | đã tồn tại | đã bị | đã được | không đủ | không tìm thấy
        không tồn tại | không đúng | không chính xác | không hợp lệ | không có quyền
        không được phép | không được | chưa đăng nhập | đăng nhập | vui lòng chọn | vui lòng nhập
        vui lòng cung cấp | phải | bắt buộc | ít nhất | tối đa | tối thiểu | hết hàng | hết phòng
        hết chỗ | hết vé | hết hạn | vượt quá | giới hạn | hạn mức | từ chối | truy cập bị từ chối
        sai mật khẩu | mật khẩu | không khớp | không hỗ trợ | không được hỗ trợ | không thể hủy
        không thể xóa | không thể đặt | không thể sửa | quá dài | quá ngắn | quá lớn | trống
        trùng | thiếu | không rõ | bị khóa | chỉ chủ | chỉ có | không còn | không có tập tin
        """,
    ),
    unclear(
        FAIR,
        """
        đã xảy ra lỗi | xảy ra lỗi | có lỗi xảy ra | đã có lỗi | đã có lỗi xảy ra | thử lại
        lỗi không xác định | lỗi không mong muốn | lỗi nội bộ | lỗi hệ thống | thất bại
        không thành công | sự cố | liên hệ quản trị | không thể hoàn thành | không thể xử lý
        không thể thực hiện | đã bị hủy bỏ
        """,
    ),
)
